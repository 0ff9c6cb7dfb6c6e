export { renewSession } from '../auth-refresh.js'
export { default as NetInfo } from '@react-native-community/netinfo'
export declare function report(name: string): void
