import { useController, useDLE } from '@selfsame/vue'
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { todoResource } from './api.js'

export const useTodoStore = defineStore('todos', () => {
  const userId = ref(1)
  const { data, loading, error } = useDLE(todoResource.getList, () => ({
    userId: userId.value,
  }))
  const open = computed(
    () => data.value?.filter(({ completed }) => !completed) ?? [],
  )

  const controller = useController()
  const complete = (id: number) =>
    controller.fetch(todoResource.partialUpdate, { id }, { completed: true })
  return { userId, loading, error, open, complete }
})
