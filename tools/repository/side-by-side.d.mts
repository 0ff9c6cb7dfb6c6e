/**
 * Runs commands side by side, as many at a time as there are cores, and each of them to its end. What a command writes is shown
 * when it failed, whole and in one block.
 *
 * @param parts - commands by their titles
 * @returns whether all of them succeeded
 */
export function runSideBySide(
  parts: Readonly<Record<string, readonly [command: string, ...args: string[]]>>,
  write: (text: string) => void,
): Promise<boolean>
