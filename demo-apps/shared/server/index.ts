export { startViteApplication } from './application.js'
export type {
  Application,
  ApplicationOptions,
  Handle,
  PageRequest,
  Render,
  RenderedPage,
  StartApplication,
} from './application.js'
export { isDesign, sendDesign } from './design.js'
export { demoHeader, headerOf, iconUrl } from './header.js'
export { passSocketOn } from './pass-socket-on.js'
export { runApplication } from './run.js'
export { applicationSizes } from './sizes.js'
export { passOn, serveSite } from './site.js'
export type { Site, SiteOptions } from './site.js'
