import type { NetworkState } from '@selfsame/core/policies'
export { getBalance, Secret, sendInvoice, invoiceResource } from './entities.js'
export { default as AsyncStorage } from '@react-native-async-storage/async-storage'
export declare const network: NetworkState
