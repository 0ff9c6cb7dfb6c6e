// The parts of SvelteKit that the entry `kit` uses. SvelteKit is not installed here: the fixture `conformance/fixtures/sveltekit`
// builds and runs the entry with the real one.

declare module '@sveltejs/kit' {
  export function error(status: number, message: string): never
  export function redirect(status: number, location: string): never
}
