export { render, screen } from '@testing-library/svelte'
export { default as TodoApp } from '../testing/TodoApp.svelte'
