/** Whether warnings and freezing are on. Resolved by the `development` export condition; changes no outcome. */
export const development: boolean = true
