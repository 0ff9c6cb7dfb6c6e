import type { SocketConstructor } from '@selfsame/core/live'
export declare const options: { WebSocket: SocketConstructor }
