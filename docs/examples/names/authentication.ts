import type { Context } from 'react'
import type { InjectionKey, Ref } from 'vue'
export { renewSession } from '../auth-refresh.js'
export { currentUser } from '../shared-computer.js'
export declare const TokenContext: Context<string>
export declare const tokenKey: InjectionKey<Ref<string>>
export interface Session {
  token: string
}
