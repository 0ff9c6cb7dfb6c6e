export { createNextData } from './next/data.js'
export type { NextData, NextDataOptions, DataRootProps, PrefetchProps } from './next/data.js'
