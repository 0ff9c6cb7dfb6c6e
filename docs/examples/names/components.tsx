import type { ErrorFallbackProps } from '@selfsame/react'

// The components that samples show nothing of.

export const App = () => null
export const Title = () => null
export const TodoList = () => null
export const TodoItem = (_: { readonly id: number }) => null
export const TodoLink = (_: { readonly id: number }) => null
export const Failed = ({ error }: ErrorFallbackProps) => error.message
