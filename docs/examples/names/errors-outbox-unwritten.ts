import type { RowStorage } from '@selfsame/core/storage'
import type { NetworkState } from '@selfsame/core/policies'

export declare const full: RowStorage
export declare const network: NetworkState
