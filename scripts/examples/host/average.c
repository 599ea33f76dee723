// SPDX-License-Identifier: Apache-2.0
// Reads numbers from a file, says what their average is, and writes it to another file.
#include "semihost.h"

static char text[256];

static char *decimal(int number, char *last)
{
    *last = 0;
    do
        *--last = '0' + number % 10;
    while (number /= 10);
    return last;
}

static int average(int bytes)
{
    int sum = 0, count = 0, number = 0;
    for (int i = 0; i < bytes; i++) {
        if (text[i] >= '0') {
            number = 10 * number + text[i] - '0';
        } else {
            sum += number;
            count += 1;
            number = 0;
        }
    }
    return sum / count;
}

int main(void)
{
    char line[16];
    int file = open("numbers.txt", READ);
    if (file < 0) {
        print("There is no numbers.txt.\n");
        end(2);
    }
    int bytes = read(file, text, sizeof text);
    char *result = decimal(average(bytes), line + 15);
    print("The average is ");
    print(result);
    print(".\n");
    write(open("average.txt", WRITE), result);
    end(0);
    return 0;
}
