// What samples take from the reader's application. A page that means something
// else by a name has a file of its own here, also for one framework only.

export { Todo, todoResource } from '../api.js'
export { controller } from '../controller.js'
export {
  App,
  Failed,
  Title,
  TodoItem,
  TodoLink,
  TodoList,
} from './components.js'
export { use, useEffect, useRef, useState } from 'react'
export { createRoot } from 'react-dom/client'
export { getContext } from 'svelte'
export { expect, vi } from 'vitest'
export { createApp, effectScope, inject, ref, watchEffect } from 'vue'
export declare const id: number
export declare const text: string
export declare const title: string
export declare const completed: boolean
export declare const file: File
export declare const box: HTMLInputElement
export declare const session: {
  token: string
  userId: string | undefined
  readAgain(): void
}
export declare function signInAgain(): Promise<string>
