import { dataPlugin } from '@selfsame/vue';
import { createApp } from 'vue';

createApp({}).use(dataPlugin).mount('#app');
