/** What is wrong with edited code, and where. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** The name of the file. */
  readonly file: string | undefined
  /** Its line, from 1. */
  readonly line: number | undefined

  constructor(message: string, file?: string, line?: number) {
    super(message)
    this.file = file
    this.line = line
  }
}
