import type { Ref } from 'vue'
export declare const text: Ref<string>
