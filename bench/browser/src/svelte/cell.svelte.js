/** A value that effects follow, by identity. */
export class Cell {
  value = $state.raw()

  constructor(value) {
    this.value = value
  }
}
