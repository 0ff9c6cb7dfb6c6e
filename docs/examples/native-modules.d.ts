// What docs/react-native.md uses of two packages that are not installed here.

declare module 'react-native' {
  export const AppState: {
    readonly currentState: 'active' | 'background' | 'inactive'
    addEventListener(event: 'change', listener: () => void): { remove(): void }
  }
}

declare module '@react-native-community/netinfo' {
  const NetInfo: {
    addEventListener(
      listener: (state: { readonly isConnected: boolean | null }) => void,
    ): () => void
  }
  export default NetInfo
}

declare module '@react-native-async-storage/async-storage' {
  const AsyncStorage: {
    getAllKeys(): Promise<readonly string[]>
    multiGet(
      keys: readonly string[],
    ): Promise<readonly (readonly [string, string | null])[]>
    multiRemove(keys: readonly string[]): Promise<void>
    multiSet(rows: readonly (readonly [string, string])[]): Promise<void>
  }
  export default AsyncStorage
}
