// For type checkers that know only one of the two formats; each one reads its own components itself.
declare module '*.vue' {
  import type { Component } from 'vue'
  const component: Component
  export default component
}
