export declare function draw(): void
