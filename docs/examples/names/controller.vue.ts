export { default as App } from '../start/App.vue'
