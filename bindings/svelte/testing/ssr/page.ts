import App from 'app'
import { hydratePage } from '../../src/ssr.js'

const target = document.querySelector('#app')
if (target === null) throw new Error('There is no #app.')
const { user = '' } = document.body.dataset
hydratePage(App, { target, props: { user } })
document.body.dataset['hydrated'] = 'yes'
