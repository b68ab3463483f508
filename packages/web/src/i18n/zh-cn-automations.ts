import type { AutomationsText } from "./en-automations.ts";

export const automationsZhCN: AutomationsText = {
  title: "自动化",
  sections: { schedules: "定时任务", templates: "模板" },
  schedules: {
    about: "定时任务会在你指定的时间创建任务或发送消息，例如每天早上、每周一或每十五分钟。",
  },
  templates: {
    about: "模板把需要反复启动的任务保存在一个名称下，包括提示词、智能体和各项设置。",
  },
};
