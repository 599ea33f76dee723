// SPDX-License-Identifier: Apache-2.0
/** Stands for the package serialport, of which the adapter opens a port of a board; a tile has none. */

export class SerialPort {
    constructor() {
        throw new Error('a tile has no serial port');
    }
}
