import { startControls } from './page/controls.js'
import { elementById } from './page/element-by-id.js'
import { showLive } from './page/live-view.js'
import { showRequestLog } from './page/request-log-view.js'
import { mountReact } from './react/mount.js'
import { mountSvelte } from './svelte/mount.js'
import { mountVue } from './vue/mount.js'

showRequestLog()
showLive()
mountReact(elementById('react'))
mountVue(elementById('vue'))
mountSvelte(elementById('svelte'))
void startControls()
