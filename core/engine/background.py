# SPDX-License-Identifier: Apache-2.0
"""The engine that starts as the reference and moves up once compiled code is there."""

from core.engine.reference import ReferenceEngine


class BackgroundEngine(ReferenceEngine):
    """Stays on the reference engine until the object cache is in place."""
