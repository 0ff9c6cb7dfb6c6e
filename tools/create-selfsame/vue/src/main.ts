import { dataPlugin } from '@selfsame/vue'
import { createApp } from 'vue'
import { controller } from './api'
import App from './App.vue'
import './style.css'

createApp(App).use(dataPlugin, { controller }).mount('#root')
