/** Sends a request and gives its parsed response. */
export async function request<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`https://api.example.com${path}`, init)
  if (!response.ok)
    throw new Error(((await response.json()) as { message: string }).message)
  return (await response.json()) as T
}
