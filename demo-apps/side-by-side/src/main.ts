import { controller } from './api.js'
import { startControls } from './page/controls.js'
import { elementById } from './page/element-by-id.js'
import { moveInLists } from './page/list-keys.js'
import { showFirstArticle } from './page/first-article.js'
import { showLive } from './page/live-view.js'
import { showOffline } from './page/offline-view.js'
import { explainRequests } from './page/reasons.js'
import { showRequestLog } from './page/request-log-view.js'
import { startStory } from './page/story.js'
import { mountReact } from './react/mount.js'
import { mountSvelte } from './svelte/mount.js'
import { mountVue } from './vue/mount.js'

// Before anything reads, so that it sees the first requests. `?panel=open` shows it at once.
const panel = new URLSearchParams(location.search).get('panel')
if (panel !== null)
  (await import('@selfsame/devtools')).devtools(controller, { isOpen: panel === 'open' || undefined })

explainRequests()
showRequestLog()
showLive()
showOffline()
moveInLists()
showFirstArticle(['react', 'vue', 'svelte'])
mountReact(elementById('react'))
mountVue(elementById('vue'))
mountSvelte(elementById('svelte'))
startStory(startControls())
