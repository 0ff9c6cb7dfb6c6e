import type { Middleware } from '@selfsame/core'
import { outbox } from '@selfsame/core/outbox'
import { persist } from '@selfsame/core/persist'
import { pauseOffline, refetchOnReconnect } from '@selfsame/core/policies'
import { syncTabs } from '@selfsame/core/tabs'
import { Activity, Issue, Label } from '../../issue.js'
import { User } from '../../user.js'
import { activityResource, getLabels, issueResource, userResource } from '../api.js'
import { tokenOf } from '../session.js'

/**
 * The middleware of a page. What is changed in the tracker without a network is kept, over a reload too, and sent
 * later; what was loaded of it is there at the next start; and all tabs agree.
 */
export function middlewareOfPage(): Middleware[] {
  const endpoints = [issueResource, activityResource, userResource]
  return [
    outbox({ endpoints, scope: () => tokenOf(document.cookie) ?? 'visitor' }),
    persist({
      version: 1,
      include: [
        Issue,
        Activity,
        Label,
        User,
        issueResource.getList,
        activityResource.getList,
        getLabels,
        userResource.getList,
      ],
    }),
    syncTabs({ version: 1, endpoints }),
    pauseOffline(),
    refetchOnReconnect(),
  ]
}
