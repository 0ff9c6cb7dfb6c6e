// The words of the seeded records. Changing a list changes the seeded data.

export const firstNames = words(`
  Ada Amara Anders Beatriz Chidi Clara Daniel Elif Emeka Fatima Felix Grace Hana Hugo Ines Ivan Jasper
  José Kaito Kamala Lena Liam Maja Marcus Mei Nadia Noah Olga Omar Priya Rafael Rosa Samuel Sofia
  Søren Tariq Uma Vera Yusuf Zoë
`)

export const lastNames = words(`
  Abbott Adeyemi Almeida Andersen Banerjee Becker Carter Castillo Chen Dawson Dubois Eriksen Farouk
  Fischer Garcia Haddad Hansen Hughes Ibrahim Ito Jansen Kaya Khan Kowalski Larsen Lindgren Lopez
  Marino Mensah Moreau Müller Nakamura Nguyen Novak Nuñez Okafor Okoye Olsen Patel Pereira Petrov
  Quinn Rahman Reyes Rossi Sato Schmidt Silva Sorensen Tanaka Thompson Usman Varga Walsh Weber Wood
  Yamada Yilmaz Young Zhang
`)

export const titleOpenings = lines(`
  A short history of
  Notes on
  What we learned from
  Rethinking
  The quiet cost of
  Living with
  A field guide to
  Three years of
  How we measure
  Letters about
  The case for
  Before you choose
`)

export const topics = lines(`
  offline maps
  garden irrigation
  night trains
  shared calendars
  bread ovens
  bicycle repair
  library catalogues
  tide tables
  community radio
  rooftop solar
  open timetables
  second-hand books
  river gauges
  weather balloons
  local elections
  school kitchens
  street lighting
  public benches
  seed banks
  harbour pilots
`)

export const titleEndings = lines(`
  in small towns
  for beginners
  after the storm
  on a modest budget
  with five volunteers
  across two borders
  without a manual
  in a cold winter
  when nobody is watching
  from the first day
`)

export const subjects = lines(`
  The night shift
  A retired engineer
  Our neighbour
  The town council
  Every second visitor
  The youngest volunteer
  Nobody at the station
  The new timetable
  A letter from 1962
  The map on the wall
  My grandmother
  The harbour office
`)

export const verbs = lines(`
  kept a record of
  noticed
  was the first to question
  quietly improved
  depended on
  wrote twice about
  still argues over
  measured
  forgot
  was built around
`)

export const objects = lines(`
  the missing bolts
  the price of flour
  the last train home
  a hand-drawn chart
  the river level
  three broken lamps
  the opening hours
  an unlocked gate
  the spare parts list
  a box of old tickets
  the summer rota
  two borrowed ladders
`)

export const commentNames = lines(`
  A question about the numbers
  Thank you for this
  One small correction
  We tried the same thing
  A different experience
  Where can I read more?
  The second paragraph
  This changed my mind
  Still not convinced
  From someone who was there
`)

export const commentOpenings = lines(`
  I read this twice.
  This matches what we saw last spring.
  I am not sure the comparison holds.
  Could you share the raw figures?
  My team had the opposite result.
  Lovely piece.
  The photo alone was worth it.
  You leave out the hardest part.
`)

export const todoVerbs = lines(`
  Call about
  Order
  Repair
  Return
  Sort out
  Print
  Ask about
  Photograph
  Clean
  Measure
`)

export const todoObjects = lines(`
  the bicycle
  the library books
  the kitchen tap
  train tickets
  the garden hose
  the tax form
  birthday candles
  the front door key
  the spare room
  the smoke alarm
  the winter coats
  the school form
`)

export const newsOpenings = lines(`
  Council approves
  Residents welcome
  Report questions
  New funding for
  Volunteers rescue
  Strike delays
  Museum opens show on
  Study counts
  School wins prize for
  Minister visits
`)

export const bioOpenings = lines(`
  Writes about
  Builds tools for
  Teaches
  Photographs
  Keeps notes on
  Has opinions about
`)

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}

function lines(list: string): string[] {
  return list.trim().split(/\s*\n\s*/)
}
