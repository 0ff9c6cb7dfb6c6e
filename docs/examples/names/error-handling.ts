export declare function sendToMonitoring(name: string, error: unknown): void
