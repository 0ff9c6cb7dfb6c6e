export { mount } from '@vue/test-utils'
export { default as TodoApp } from '../testing/TodoApp.vue'
