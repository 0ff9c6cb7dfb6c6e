import {
  accountResource,
  createIssue,
  dialogs,
  issuePriorities,
  issueResource,
  listenForShortcuts,
  optionsOfPalette,
  shortcuts,
  userResource,
} from '@selfsame/demo-shared/application'
import type { IssuePriority } from '@selfsame/demo-shared/application'
import { useCache, useController, useDLE } from '@selfsame/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

/** The dialogs that are opened from every screen, and the shortcuts that open them. */
export function Dialogs() {
  const navigate = useNavigate()
  const shown = useSyncExternalStore(dialogs.subscribe, dialogs.current, () => undefined)
  useEffect(() => listenForShortcuts((path) => void navigate(path)), [navigate])
  if (shown === 'palette') return <Palette />
  if (shown === 'new-issue') return <NewIssue />
  return shown === 'help' && <Help />
}

interface DialogProps {
  readonly label: string
  readonly className: string
  readonly children: ReactNode
}

/** Modal from the moment that it is there. Escape and a click beside it close it. */
function Dialog({ label, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={className}
      onClose={() => dialogs.close()}
      onClick={({ target }) => target === dialog.current && dialogs.close()}
    >
      {children}
    </dialog>
  )
}

/** Commands and issues, found by their names. */
function Palette() {
  const navigate = useNavigate()
  const issues = useCache(issueResource.getList)
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const found = optionsOfPalette(text, issues ?? [])
  const choose = (index: number) => {
    dialogs.close()
    const option = found[index]
    if (option?.path !== undefined) void navigate(option.path)
    option?.run?.()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setPlace((place + step + found.length) % found.length)
    else if (event.key === 'Enter') choose(place)
    else if (event.key === 'Escape') dialogs.close()
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Command palette" className="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Search commands and issues"
        aria-expanded="true"
        aria-controls="palette-options"
        aria-activedescendant={`palette-${place}`}
        placeholder="Type a command, or the name of an issue"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened it to type
        autoFocus
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setPlace(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-options" role="listbox" aria-label="Results">
        {found.map(({ name, icon }, index) => (
          <li
            key={name}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === place}
            data-icon={icon}
            onClick={() => choose(index)}
            onPointerMove={() => setPlace(index)}
          >
            {name}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="facts">No results.</p>}
    </Dialog>
  )
}

function NewIssue() {
  const controller = useController()
  const navigate = useNavigate()
  const user = useCache(accountResource.get)
  const { data: users = [] } = useDLE(userResource.getList)
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const [priority, setPriority] = useState<IssuePriority>('none')
  const [assignee, setAssignee] = useState('')
  const create = (event: React.SubmitEvent) => {
    event.preventDefault()
    dialogs.close()
    const fields = { title, body, priority, assignee: assignee === '' ? null : Number(assignee) }
    void createIssue(controller, user, fields, (id) => void navigate(`/issues/${id}`))
  }
  return (
    <Dialog label="New issue" className="new-issue">
      <h2>New issue</h2>
      <form className="form" onSubmit={create}>
        <label className="field">
          Title
          <input
            type="text"
            required
            maxLength={200}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened it to type
            autoFocus
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
        </label>
        <label className="field">
          Description
          <textarea value={body} onChange={({ target }) => setBody(target.value)} />
        </label>
        <div className="form inline">
          <label className="field">
            Priority
            <select value={priority} onChange={({ target }) => setPriority(target.value as IssuePriority)}>
              {issuePriorities.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            Assignee
            <select value={assignee} onChange={({ target }) => setAssignee(target.value)}>
              <option value="">Nobody</option>
              {users.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div className="actions">
          <button className="button primary">Create</button>
          <button type="button" className="button" onClick={() => dialogs.close()}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Help() {
  return (
    <Dialog label="Keyboard shortcuts" className="help">
      <h2>Keyboard shortcuts</h2>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <button type="button" className="button" onClick={() => dialogs.close()}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
