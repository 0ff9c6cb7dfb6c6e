import { DataClientPlugin } from '@data-client/vue';
import { createApp } from 'vue';

createApp({}).use(DataClientPlugin).mount('#app');
