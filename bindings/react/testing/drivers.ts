export { version } from 'react'
export { driver } from '../conformance-driver.js'
export { serverDriver } from '../server-rendering-driver.js'
