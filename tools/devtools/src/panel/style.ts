export const style = `
:host { all: initial; }
.panel { color-scheme: light dark; --bg: light-dark(#fff, #16161d); --fg: light-dark(#1c1c24, #ececf2); --dim: light-dark(#5c5c68, #a9a9b6); --line: light-dark(#dcdce4, #34343f); --soft: light-dark(#f4f4f9, #20202a); --chosen: light-dark(#ecebfd, #2a2850); --accent: light-dark(#4a3fe0, #a9a6ff); --bad: light-dark(#b42318, #fda29b); --warn: light-dark(#8a5a00, #fcd34d); --good: light-dark(#166534, #86efac); --old: light-dark(#fdecea, #43211f); --new: light-dark(#e6f4ea, #16351f);
  box-sizing: border-box; position: fixed; z-index: 2147483647; display: flex; flex-direction: column; container-type: inline-size; color: var(--fg); background: var(--bg); border: 1px solid var(--line); font: 13px/1.45 system-ui, sans-serif; box-shadow: 0 -4px 24px #0002; }
:host([data-theme=light]) .panel { color-scheme: light; }
:host([data-theme=dark]) .panel { color-scheme: dark; }
.panel * { box-sizing: border-box; }
[hidden] { display: none !important; }
.panel[data-dock=bottom] { inset: auto 0 0 0; height: min(var(--height, 360px), 90vh); }
.panel[data-dock=right] { inset: 0 0 0 auto; width: min(var(--width, 520px), 95vw); }
.panel[data-dock=float] { inset: auto 24px 24px auto; width: min(760px, calc(100vw - 48px)); height: min(460px, calc(100vh - 48px)); border-radius: 10px; overflow: hidden; resize: both; }
.panel[data-dock=window] { inset: 0; border: 0; }
.panel[data-dock=shell] { position: relative; z-index: 0; width: 100%; height: 100%; min-height: 200px; border: 0; box-shadow: none; }
header { display: flex; align-items: center; gap: 4px; padding: 0 8px; border-bottom: 1px solid var(--line); background: var(--soft); flex: none; }
header strong { padding: 0 8px 0 2px; white-space: nowrap; color: var(--accent); }
[role=tablist] { display: flex; min-width: 0; }
[role=tab] { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; padding: 8px 10px; }
[role=tab][aria-selected=true] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.grow { flex: 1; }
button, select, input, textarea { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; }
select { max-width: 180px; }
button { cursor: pointer; white-space: nowrap; }
button:hover { background: var(--soft); }
button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.content { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, var(--side, 1fr)) auto minmax(0, 1fr); }
.handle { background: var(--line); touch-action: none; }
.handle:hover, .handle:focus-visible { background: var(--accent); }
.content > .handle { width: 5px; cursor: col-resize; background-clip: content-box; padding: 0 2px; }
.edge { position: absolute; z-index: 1; background: none; }
.panel[data-dock=bottom] > .edge { inset: -3px 0 auto 0; height: 6px; cursor: row-resize; }
.panel[data-dock=right] > .edge { inset: 0 auto 0 -3px; width: 6px; cursor: col-resize; }
.panel:is([data-dock=float], [data-dock=window], [data-dock=shell]) > .edge { display: none; }
.side { display: flex; flex-direction: column; min-height: 0; min-width: 0; position: relative; }
.side.whole { overflow: auto; grid-column: 1 / -1; padding: 10px 12px; }
.whole ~ .handle { display: none; }
.bar, .chips { display: flex; gap: 6px; padding: 6px 8px; border-bottom: 1px solid var(--line); flex: none; align-items: center; flex-wrap: wrap; }
.bar input[type=search] { flex: 1 1 150px; min-width: 90px; }
.bar.filters select { flex: 1; min-width: 0; }
.chip { border-radius: 999px; padding: 1px 9px; font-size: 12px; }
.chip[aria-pressed=true] { background: var(--chosen); border-color: var(--accent); color: var(--accent); font-weight: 600; }
.banner { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; padding: 6px 8px; background: var(--chosen); border-bottom: 1px solid var(--line); }
.newer { position: absolute; right: 16px; bottom: 10px; border-color: var(--accent); color: var(--accent); }
.list { flex: 1; min-height: 56px; overflow: auto; }
.space { position: relative; }
ul { list-style: none; margin: 0; padding: 0; }
.rows > li { height: 28px; }
.row { display: flex; gap: 8px; align-items: center; width: 100%; height: 28px; border: 0; border-bottom: 1px solid var(--line); border-radius: 0; background: none; text-align: left; overflow: hidden; }
.row[aria-pressed=true] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
.row .text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; min-width: 0; }
.time { font-variant-numeric: tabular-nums; }
.dim { color: var(--dim); }
.tag { font-size: 11px; font-weight: 600; min-width: 46px; color: var(--dim); }
.row .tag { flex: none; width: 78px; overflow: hidden; text-overflow: ellipsis; }
.row .tag.pk { width: auto; max-width: 45%; }
.Valid { color: var(--good); } .Stale { color: var(--warn); } .Invalid, .failed, .bad { color: var(--bad); }
.life { width: 36px; height: 5px; border-radius: 3px; background: var(--line); overflow: hidden; flex: none; }
.life i { display: block; height: 100%; background: var(--good); }
.detail { overflow: auto; padding: 10px 12px; min-height: 0; min-width: 0; }
.detail h2 { font-size: 14px; margin: 0 0 6px; overflow-wrap: anywhere; }
.detail h3, .whole h3 { font-size: 12px; margin: 12px 0 4px; color: var(--dim); }
.detail h4 { font-size: 11px; margin: 0 0 2px; color: var(--dim); }
.whole h2 { font-size: 14px; margin: 8px 0 4px; }
.detail p, .whole p { margin: 4px 0; overflow-wrap: anywhere; }
.detail .actions { display: flex; gap: 6px; flex-wrap: wrap; margin: 8px 0; }
.actions button { max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.link { border: 0; background: none; padding: 0; color: var(--accent); text-decoration: underline; white-space: normal; text-align: left; overflow-wrap: anywhere; }
.links li { margin: 2px 0; }
pre { margin: 0; padding: 8px; background: var(--soft); border-radius: 6px; overflow: auto; max-height: 260px; font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
code, del, ins { font: 12px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; text-decoration: none; border-radius: 3px; }
del { background: var(--old); padding: 0 3px; } ins { background: var(--new); padding: 0 3px; }
.changes { border-collapse: collapse; width: 100%; table-layout: fixed; }
.changes th, .changes td { text-align: left; vertical-align: top; padding: 2px 8px 2px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.changes thead th { font-size: 11px; color: var(--dim); font-weight: 600; }
.changes tbody th { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 12px; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
.fields dd { display: flex; gap: 2px 10px; justify-content: space-between; flex-wrap: wrap; }
.fields .link { font-size: 12px; }
details { margin: 6px 0; } summary { cursor: pointer; color: var(--dim); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; }
textarea { width: 100%; min-height: 120px; font: 12px/1.45 ui-monospace, monospace; }
.empty { padding: 16px; color: var(--dim); }
label.rule { display: flex; gap: 8px; align-items: center; padding: 3px 0; }
@container (max-width: 640px) {
  .content { grid-template-columns: none; grid-template-rows: minmax(0, var(--top, 1fr)) auto minmax(0, 1fr); }
  .content > .handle { width: auto; height: 5px; padding: 2px 0; cursor: row-resize; }
  .side.whole { grid-row: 1 / -1; }
}
@container (max-width: 440px) {
  header { padding: 0 2px; gap: 0; }
  header strong, header select { display: none; }
  [role=tablist] { flex: 1; justify-content: space-between; }
  [role=tab] { padding: 8px 5px; font-size: 12px; }
  .row { gap: 5px; padding: 3px 6px; }
  .row .life { display: none; }
  .row .tag { width: 66px; }
  .row .time { font-size: 11px; }
}
`
