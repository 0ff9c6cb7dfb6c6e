// The seeded issues: those of an application for boats and harbours. Changing a list changes the seeded data.

export const issueStates = ['backlog', 'todo', 'in-progress', 'done'] as const
export const issuePriorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

/** The labels, with the name of the color that pages give them. */
export const issueLabels = [
  { name: 'bug', color: 'red' },
  { name: 'feature', color: 'violet' },
  { name: 'design', color: 'pink' },
  { name: 'performance', color: 'amber' },
  { name: 'offline', color: 'teal' },
  { name: 'maps', color: 'green' },
  { name: 'accessibility', color: 'blue' },
  { name: 'docs', color: 'grey' },
] as const

export interface IssueWords {
  readonly state: (typeof issueStates)[number]
  readonly priority: (typeof issuePriorities)[number]
  readonly labels: readonly string[]
  readonly title: string
}

/** Each line: state, priority, labels, title. */
export const issues: readonly IssueWords[] = `
  done        | high   | feature, maps          | Show depth contours on the harbour chart
  done        | medium | bug                    | Tide table is off by an hour after the clocks change
  done        | low    | docs                   | Describe how berths are numbered
  done        | high   | performance            | First chart takes four seconds on an old phone
  done        | none   | design                 | One set of icons for buoys and lights
  done        | medium | accessibility          | Name the buttons of the chart for screen readers
  done        | urgent | bug, offline           | Log entries made at sea are lost when the app is closed
  done        | medium | feature                | Export a voyage as GPX
  done        | low    | design                 | Align numbers in the tide table
  done        | high   | bug, maps              | Chart flickers when it is zoomed with two fingers
  done        | medium | feature, offline       | Download a region before leaving the harbour
  done        | none   | docs                   | List the harbours of the pilot season
  done        | medium | performance, maps      | Draw only the tiles that are in view
  done        | low    | bug                    | Wind arrows point the wrong way in the southern hemisphere
  done        | high   | feature                | Invite the crew by a link
  done        | medium | accessibility, design  | Raise the contrast of the night mode
  done        | none   | bug                    | Two berths share one number in Vesterhavn
  done        | low    | feature                | Remember the last harbour that was shown
  in-progress | urgent | bug, maps              | Chart stays blank after the phone wakes up
  in-progress | high   | feature                | Drag waypoints to change a route
  in-progress | high   | offline                | Send what was logged offline when the network is back
  in-progress | medium | design                 | New empty states for voyages and crew
  in-progress | medium | performance            | Scrolling the log drops frames after 500 entries
  in-progress | high   | bug                    | Harbour fee is rounded twice
  in-progress | low    | docs                   | A guide for harbour masters
  in-progress | medium | accessibility          | Move between waypoints by keyboard
  in-progress | none   | feature, maps          | Show ferries and their routes
  todo        | urgent | bug                    | Anchor alarm does not ring while music plays
  todo        | high   | feature                | Book a berth for several nights
  todo        | high   | bug, offline           | Weather from yesterday is shown without saying so
  todo        | medium | maps                   | Mark areas where anchoring is forbidden
  todo        | medium | feature                | Share the position with the crew at home
  todo        | medium | design, accessibility  | Larger targets for wet fingers
  todo        | low    | bug                    | Search finds “Ærø” but not “aero”
  todo        | high   | performance            | Opening a shared voyage loads all of its pictures
  todo        | none   | docs                   | Explain the colours of the depth scale
  todo        | medium | feature, offline       | Tell how old each downloaded region is
  todo        | low    | design                 | Date picker shows six weeks in March
  todo        | medium | bug                    | Language falls back to English after an update
  todo        | high   | accessibility          | Alarm needs a signal that can be felt
  todo        | none   | feature                | Sort voyages by distance
  todo        | medium | bug, maps              | Route crosses the breakwater in Nordby
  backlog     | high   | feature                | A checklist before casting off
  backlog     | medium | feature, maps          | Record the track in the background
  backlog     | low    | design                 | A calmer colour for land at night
  backlog     | none   | feature                | Import voyages from other logbooks
  backlog     | medium | performance            | Compress pictures before they are sent
  backlog     | low    | docs                   | Film how a region is downloaded
  backlog     | medium | bug                    | Fuel in gallons is shown with three digits
  backlog     | none   | maps                   | Names of rocks in two languages
  backlog     | high   | feature, offline       | Log a voyage without an account
  backlog     | low    | accessibility          | Read the tide table aloud
  backlog     | medium | feature                | Count hours of the engine
  backlog     | none   | design                 | A picture for each kind of boat
  backlog     | low    | bug                    | Long harbour names are cut on small screens
  backlog     | medium | feature                | Remind of the next service
  backlog     | none   | feature                | Show sunrise and moonrise
  backlog     | low    | performance            | Start without waiting for the weather
  backlog     | medium | maps                   | Measure distances along the fairway
  backlog     | high   | bug                    | Crew is not told when a voyage is cancelled
  backlog     | none   | docs                   | Translate the guide into Danish
  backlog     | low    | feature                | A widget with the next high tide
  backlog     | medium | feature, accessibility | Dictate log entries
  backlog     | none   | design                 | Print a voyage on one page
  backlog     | low    | offline                | Choose how much storage charts may take
  backlog     | medium | bug                    | Speed jumps when satellites are lost
  backlog     | low    | feature                | Compare two voyages
  backlog     | none   | maps                   | Harbour pictures on the chart
  backlog     | medium | performance            | Cache the search of harbours
  backlog     | high   | feature                | Pay the harbour fee in the app
  backlog     | low    | docs                   | Glossary of chart symbols
  backlog     | none   | feature                | Let guests write into the log
`
  .trim()
  .split('\n')
  .map((line) => {
    const [state = '', priority = '', labels = '', title = ''] = line.split('|').map((part) => part.trim())
    return { state, priority, labels: labels.split(', '), title } as IssueWords
  })

export const issueReports = [
  'Two skippers wrote about this last week. It happens in every harbour that we tried.',
  'We promised it for the season. The sketch from the workshop is a good start.',
  'Seen on three phones. A restart helps, for a while.',
  'It came up in the interviews again and again. Nobody found a way around it.',
  'The harbour office asked for it. They would test it with their own boats.',
  'A small thing, and it annoys people each day.',
]

export const issueSteps = [
  'What we expect:\n\n- it works without a network\n- it says what it does\n- it can be undone',
  'How to see it:\n\n1. Open a voyage with pictures.\n2. Turn the phone off and on.\n3. Look at the chart.',
  'It is done when a skipper can do it with one hand, and when the crew sees it at once.',
  'Please measure it on the old phone before and after.',
]

export const issueRemarks = [
  'I can reproduce it. The third step is the one that matters.',
  'Let us do the simple part first, and the rest in the next round.',
  'The harbour master of Vesterhavn tried it, and likes it.',
  'I have a draft. It needs somebody who knows the chart.',
  'This would also help with the crew list.',
  'Not sure that it is worth it. How often does it happen?',
  'Fixed on my branch, with a test.',
  'Could we have a picture of it?',
  'Agreed. I take it.',
]
