export { useSuspense } from '@selfsame/react'
export { renderDataHook } from '@selfsame/react/testing'
