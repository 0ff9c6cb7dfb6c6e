export declare function show(codes: unknown[]): void
