import { memo, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { countedRow, countedView } from '../page/counts.js'

/**
 * The page of a library whose components read lists of issues, and pass them to rows as props.
 *
 * @param {object} library
 * @param {object} library.store - the actions of an `App`
 * @param {import('react').ComponentType} library.Provider
 * @param {() => Issue[]} library.useIssues
 * @param {() => Issue[]} library.useDiscussed
 * @param {(id: number) => Issue} library.useIssue
 */
export function createAppOfLists({ useIssues, useDiscussed, ...library }) {
  const List = () => (
    <Table
      rows={countedView(useIssues()).map((issue) => (
        <Row key={issue.id} issue={issue} />
      ))}
    />
  )
  const Discussed = () => (
    <Table
      rows={countedView(useDiscussed()).map((issue) => (
        <Row key={issue.id} issue={issue} />
      ))}
    />
  )
  return createApp(library, List, Discussed)
}

/**
 * The page of a library whose views read ids, and whose rows each read their own issue.
 *
 * @param {object} library - like above, except
 * @param {() => number[]} library.useIds
 * @param {() => number[]} library.useDiscussedIds
 */
export function createAppOfRows({ useIds, useDiscussedIds, ...library }) {
  const { useIssue } = library
  const ReadingRow = memo(({ id }) => renderRow(useIssue(id)))
  const List = () => (
    <Table
      rows={countedView(useIds()).map((id) => (
        <ReadingRow key={id} id={id} />
      ))}
    />
  )
  const Discussed = () => (
    <Table
      rows={countedView(useDiscussedIds()).map((id) => (
        <ReadingRow key={id} id={id} />
      ))}
    />
  )
  return createApp(library, List, Discussed)
}

const Row = memo(({ issue }) => renderRow(issue))

function renderRow(read) {
  const issue = countedRow(read)
  return (
    <tr data-id={issue.id}>
      <td className="part number">{issue.number}</td>
      <td className="part title">{issue.title}</td>
      <td className="part state">{issue.state}</td>
      <td className="part comments">{issue.comments}</td>
      <td className="part user">{issue.user.name}</td>
      <td>
        {issue.labels.map((label) => (
          <span className="part" key={label.id}>
            {label.name}
          </span>
        ))}
      </td>
    </tr>
  )
}

const Table = ({ rows }) => (
  <table>
    <tbody>{rows}</tbody>
  </table>
)

function createApp({ store, Provider, useIssue }, List, Discussed) {
  let root
  let setScreen

  function Detail({ id }) {
    const issue = countedView(useIssue(id))
    return (
      <article data-id={issue.id}>
        <h1 className="part">{issue.number}</h1>
        <h1 className="part title">{issue.title}</h1>
        <p className="part">{issue.state}</p>
        <p className="part">{issue.comments}</p>
        <p className="part user">{issue.user.name}</p>
        {issue.labels.map((label) => (
          <span className="part" key={label.id}>
            {label.name}
          </span>
        ))}
        <p className="part">{issue.body}</p>
        <p className="part">{issue.priority}</p>
        <p className="part">{issue.createdAt}</p>
        <p className="part">{issue.updatedAt}</p>
      </article>
    )
  }

  function Screen() {
    const [screen, set] = useState('list')
    useEffect(() => {
      setScreen = set
    }, [])
    if (screen === 'list') return <List />
    if (screen === 'discussed') return <Discussed />
    return <Detail id={screen.id} />
  }

  return {
    ...store,
    mount(element) {
      root = createRoot(element)
      root.render(
        <Provider>
          <Screen />
        </Provider>,
      )
    },
    unmount: () => root.unmount(),
    show: (screen) => setScreen(screen),
  }
}
