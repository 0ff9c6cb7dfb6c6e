import { Entity } from '@selfsame/core'
import { bidirectional, createResource } from '@selfsame/core/rest'

export class Appointment extends Entity {
  id = 0
  title = ''
  start = ''
  static override key = 'Appointment'
}

export const appointmentResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/appointment/:id',
  schema: Appointment,
  nonFilterArgumentKeys: ['from'],
})

export const getAppointments = bidirectional(appointmentResource.getList, {
  previous: 'before',
  next: 'after',
  start: 'from',
})

export const bothWays = {
  previous: (appointments: readonly Appointment[]) => ({
    before: appointments[0]?.start,
  }),
  next: (appointments: readonly Appointment[]) => ({
    after: appointments.at(-1)?.start,
  }),
}
