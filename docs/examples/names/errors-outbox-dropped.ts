import type { NetworkState } from '@selfsame/core/policies'
export declare const network: NetworkState
