import { inject, provide, readonly, ref, type InjectionKey, type Ref } from 'vue'
import { useRouter } from 'vue-router'

const navigatedKey: InjectionKey<Readonly<Ref<boolean>>> = Symbol('has navigated')

/** Provides to screens whether the user navigated from another one. */
export function provideNavigation(): void {
  const hasNavigated = ref(false)
  useRouter().afterEach((to, from) => {
    if (to.path !== from.path) hasNavigated.value = true
  })
  provide(navigatedKey, readonly(hasNavigated))
}

export function useHasNavigated(): Readonly<Ref<boolean>> {
  return inject(navigatedKey, ref(false))
}
