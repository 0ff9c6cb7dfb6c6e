/** A value that effects track by identity. */
export class Cell {
  value = $state.raw()

  constructor(value) {
    this.value = value
  }
}
