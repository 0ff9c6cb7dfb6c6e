// For the checkers that read only one of the two; each of them sees its own components as they are.
declare module '*.vue' {
  import type { Component } from 'vue'
  const component: Component
  export default component
}
