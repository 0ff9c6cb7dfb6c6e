/** The path of the compiler, a program of its own: `execFile(tsc, ['--build'])`. */
export const tsc: string
