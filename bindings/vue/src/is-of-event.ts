/** True if Vue reports an error of an event handler; a production build reports a number. */
export function isOfEvent(info: string): boolean {
  return info.endsWith('event handler') || /#runtime-[56]$/.test(info)
}
