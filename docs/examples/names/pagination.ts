export declare const userId: number
export declare const props: { readonly id: number }
export { Appointment } from '../guides/calendar.js'
