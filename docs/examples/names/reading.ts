export declare const ids: number[]
export declare const listId: number | undefined
