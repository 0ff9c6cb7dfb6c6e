// What a test sees of a screen of the migration guides, and does with it.

const all = (selector: string) => [
  ...document.querySelectorAll<HTMLElement>(selector),
]
export const textsOf = (selector: string) =>
  all(selector).map(({ textContent }) => textContent)
export const rows = () => textsOf('li')
export const click = (text: string) =>
  all('button')
    .find(({ textContent }) => textContent === text)
    ?.click()

export function add(title: string) {
  const input = document.querySelector('input')
  if (input) {
    input.value = title
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  click('Add')
}
