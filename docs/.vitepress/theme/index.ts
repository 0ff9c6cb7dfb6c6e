import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import FrameworkTabs from './FrameworkTabs.vue'
import { defineAsyncComponent } from 'vue'
import LiveAlone from './LiveAlone.vue'
import Layout from './Layout.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('FrameworkTabs', FrameworkTabs)
    app.component('LiveAlone', LiveAlone)
    app.component(
      'LivePlayground',
      defineAsyncComponent(() => import('./LivePlayground.vue')),
    )
  },
} satisfies Theme
